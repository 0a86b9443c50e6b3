// A simulator as a process of its own, so that its CPU is not the program's. One argument: the rows per second.
// Prints one line of JSON when it listens, ends with its standard input.
import { startSimulator } from '../support/simulator/server.ts';

const simulator = await startSimulator({
  seed: 7,
  rate: Number(process.argv[2]),
  isSteady: true,
  incidents: false,
});
const busiest = simulator.zones.toSorted((a, b) => b.rate - a.rate)[0];
const { baseUrl, loggingUrl, accessKey } = simulator;
console.log(
  JSON.stringify({ baseUrl, loggingUrl, accessKey, zone: busiest?.name, zoneId: String(busiest?.id) }),
);
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
