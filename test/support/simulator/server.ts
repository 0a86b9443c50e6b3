import { type Listener, openListener } from '../../../src/simulator/listener.ts';
import { type Serving, serve } from '../../../src/simulator/server.ts';
import { type Simulated, type SimulatedOptions, simulate } from './simulated.ts';

export type SimulatorOptions = SimulatedOptions & { port?: number };
export type Simulator = Simulated & Omit<Serving, 'setOpen'>;

/** Starts the simulator on loopback, as `edgescope sim` does, with what tests need besides. */
export async function startSimulator(o: SimulatorOptions = {}): Promise<Simulator> {
  let stray: Promise<Listener> | null = null;
  const { simulated, stats, replyTo, leave } = simulate(o, {
    setOpen: (host, isOpen) => serving.setOpen(host, isOpen),
    elsewhere: async () => {
      stray ??= openListener(0, (req, res) => {
        stats.strayed(req.headers);
        res.end('{"data":[],"Items":[]}');
      });
      return (await stray).url();
    },
  });
  const serving = await serve(o, replyTo);
  await simulated.setFaults(o.faults ?? []);
  return {
    ...simulated,
    baseUrl: serving.baseUrl,
    loggingUrl: serving.loggingUrl,
    close: async () => {
      leave();
      await Promise.all([serving.close(), (await stray)?.setOpen(false)]);
    },
  };
}
