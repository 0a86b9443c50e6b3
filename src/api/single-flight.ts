import { failureOf, type Result } from '../domain/failure.ts';

type Flight = { result: Promise<Result<unknown>>; callers: number; abort: AbortController };

/**
 * Identical reads under way share one request: each caller leaves by its own signal, and the last one out cancels it.
 * They share one value, which nobody may change.
 */
export function createSingleFlight(): <T>(
  key: string,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result<T>>,
) => Promise<Result<T>> {
  const flights = new Map<string, Flight>();

  return async (key, signal, run) => {
    if (signal?.aborted) return { ok: false, failure: failureOf('cancelled') };
    const flight = flights.get(key) ?? takeOff(key, run);
    flight.callers += 1;
    // The key names the request, and with it the type of its result.
    return (await leaveOr(flight.result, signal, () => {
      flight.callers -= 1;
      if (flight.callers > 0) return;
      if (flights.get(key) === flight) flights.delete(key);
      flight.abort.abort();
    })) as Awaited<ReturnType<typeof run>>;
  };

  function takeOff(key: string, run: (signal: AbortSignal) => Promise<Result<unknown>>): Flight {
    const abort = new AbortController();
    const result = run(abort.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight = { result, callers: 0, abort };
    flights.set(key, flight);
    return flight;
  }
}

function leaveOr(
  result: Promise<Result<unknown>>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<Result<unknown>> {
  if (signal === undefined) return result;
  const { promise: left, resolve } = Promise.withResolvers<Result<unknown>>();
  const abort = () => {
    leave();
    resolve({ ok: false, failure: failureOf('cancelled') });
  };
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([result, left]).finally(() => signal.removeEventListener('abort', abort));
}
