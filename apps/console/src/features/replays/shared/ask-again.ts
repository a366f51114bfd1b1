import { pause } from '../player/source.ts'

/** Whoever looks with many others may have to wait for the server: it is asked again after so long each time. */
const AGAIN_MS = [1000, 2000, 4000, 8000]

/** @param ask what it throws, or answers but "try again", is told at once */
export async function askAgain(ask: () => Promise<Response>, wait = pause): Promise<Response> {
  let answer = await ask()
  for (const ms of AGAIN_MS) {
    if (answer.status !== 503) break
    await wait(ms)
    answer = await ask()
  }
  return answer
}
