let isDebug = false
let say: (...args: unknown[]) => void = () => undefined

/** Takes the console's function as it is now: later it may be one that we have wrapped. */
export const setDebug = (isOn: boolean): void => {
  isDebug = isOn
  const { console: output } = globalThis
  if (isOn) say = output.warn.bind(output)
}

export const warn = (...args: unknown[]): void => {
  if (!isDebug) return
  try {
    say('[Firsthand]', ...args)
  } catch {
    // A console that throws is not ours to mend.
  }
}

/** Runs what must never throw into the page. */
export const guard = <Value, Other = undefined>(work: () => Value, otherwise?: Other): Value | Other => {
  try {
    return work()
  } catch (error) {
    warn(error)
    return otherwise as Other
  }
}

/** A string of at most so many characters, whatever it is made of. */
export const text = (value: unknown, max = 8192): string => {
  const said = guard(() => (typeof value === 'string' ? value : String(value)), '')
  return said.length > max ? `${said.slice(0, max - 1)}…` : said
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The same, or nothing where there is no object: text taken apart would be an object of its letters. */
export const fields = <Value>(value: Value): Value => (isObject(value) ? value : ({} as Value))

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isObject(value) && typeof value['then'] === 'function'

/** Goes on at once where it can: a page that is being closed has no later. */
export const chain = <Value, Next>(
  value: Value | PromiseLike<Value>,
  go: (value: Value) => Next | PromiseLike<Next>,
): Next | PromiseLike<Next> => (isThenable(value) ? value.then(go) : go(value))

/** Random hexadecimal digits. There are places without `crypto`. */
export const hex = (digits: number): string => {
  const bytes = new Uint8Array(digits)
  globalThis.crypto?.getRandomValues(bytes)
  return Array.from(bytes, (byte) => ((byte ^ (Math.random() * 16)) & 15).toString(16)).join('')
}

/** The answer, or false when it takes longer (milliseconds; without a time, however long it takes). */
export const within = (work: Promise<boolean>, timeoutMs?: number): Promise<boolean> => {
  if (!timeoutMs) return work
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export const now = (): number => Date.now() / 1000
