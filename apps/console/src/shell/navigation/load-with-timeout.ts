/** A route's code that did not arrive in time, or not at all. */
export class RouteLoadError extends Error {
  override readonly name = 'RouteLoadError'

  /** It may still come; otherwise fetching it has failed. */
  get isLate(): boolean {
    return this.cause === undefined
  }
}

/**
 * Waits for a route's code for at most `timeoutMs`.
 * @throws RouteLoadError when it is late or fails to load (a file of an older build is gone, the network is down)
 */
export async function loadWithTimeout<Module>(load: () => Promise<Module>, timeoutMs: number): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RouteLoadError(`The route did not load within ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    return await Promise.race([
      load().catch((cause: unknown) => {
        throw new RouteLoadError('The code of the route could not be loaded.', { cause })
      }),
      late,
    ])
  } finally {
    clearTimeout(timer)
  }
}
