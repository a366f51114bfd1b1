import type { Frame } from '../../../event/event.ts'
import { memoise } from '../v1/memoise.ts'
import { familyOf } from '../v1/platform.ts'

/**
 * Frames of scripts that one engine writes down and another does not: its own code (`Array.map (<anonymous>)`,
 * `forEach@[native code]`), code given to `eval`, places in a `Promise.all`. Chrome, Firefox and Safari describe one error
 * alike when they do not count.
 */
export const isLowQuality = (frame: Frame, platform: string): boolean => {
  if (familyOf(platform) !== 'javascript') return false
  const path = frame.abs_path ?? frame.filename
  return (path !== undefined && isNoFile(path)) || (frame.function !== undefined && isEval(frame.function))
}

/** Who awaits a function: Chrome and new versions of Safari say so, Firefox only under its developer tools. */
export const isAsyncCaller = (frame: Frame, platform: string): boolean =>
  platform === 'javascript' && frame.function !== undefined && isAsync(frame.function)

const isNoFile = memoise((path) =>
  /^(?:<anonymous>|\[?(?:native|wasm) code\]?|native|eval code|index \d{1,9})$/.test(path),
)
const isEval = memoise((name) => /^(?:async )?(?:[\w$.]{1,200}\.)?eval(?: code)?$/.test(name))
const isAsync = memoise((name) => name.startsWith('async ') || name.startsWith('async*'))
