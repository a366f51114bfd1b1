import type { Dataset, FunctionOption } from './datasets.ts'

/** `p95(span.duration)`: a function and its attribute, as the screen offers them. Null for what it does not: equations, conditions. */
export interface ChosenFunction {
  readonly option: FunctionOption
  readonly attribute: string | null
}

export function readFunction({ functions }: Dataset, text: string): ChosenFunction | null {
  const [, name, inside = ''] = /^([a-z0-9_]+)\((.*)\)$/.exec(text) ?? []
  const option = functions.find((one) => one.name === name)
  if (option === undefined || /[`"(]/.test(inside)) return null
  if (option.takes === 'nothing') return inside === '' ? { option, attribute: null } : null
  return { option, attribute: inside === '' ? (option.usual ?? '') : inside }
}

export function writeFunction(option: FunctionOption, attribute: string | null): string {
  return option.takes === 'nothing' ? `${option.name}()` : `${option.name}(${attribute ?? option.usual ?? ''})`
}

/** Another function was chosen: it keeps the attribute if it can have it. */
export function withFunction({ option, attribute }: ChosenFunction, next: FunctionOption): string {
  return writeFunction(next, next.takes === option.takes ? attribute : null)
}

/** The first function that is not on screen yet. */
export function nextFunction({ functions }: Dataset, visualise: readonly string[]): string | null {
  const free = functions.map((option) => writeFunction(option, null)).find((one) => !visualise.includes(one))
  return free ?? null
}

/** A, B, C … */
export function letterOf(place: number): string {
  return String.fromCodePoint(65 + place)
}
