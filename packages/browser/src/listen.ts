import { guard } from './guard.ts'
import type { Client } from './client.ts'

/** Listens on the window until the client is closed. What the handler throws stays here. */
export const listen = <Given>(
  client: Client,
  types: readonly string[],
  handle: (event: Given) => void,
  capture = false,
): void => {
  const listener = (event: unknown): void => guard(() => handle(event as Given))
  for (const type of types) {
    addEventListener(type, listener, capture)
    client.on('close', () => removeEventListener(type, listener, capture))
  }
}
