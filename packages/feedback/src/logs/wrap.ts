type Method = (this: unknown, ...given: unknown[]) => unknown

/**
 * Puts a wrapper in the place of a function. A proxy, so that its name, its properties and `new` stay.
 *
 * @param around gets the call itself as a function without arguments. What it throws is the page's to see: it must not throw
 * @returns what takes the wrapper away; where somebody has wrapped it since, it only falls silent
 */
export const wrap = <Holder extends object>(
  holder: Holder,
  name: keyof Holder & string,
  around: (call: () => unknown, self: unknown, given: readonly unknown[]) => unknown,
): (() => void) => {
  const before = Object.getOwnPropertyDescriptor(holder, name)
  const original: unknown = holder[name]
  if (typeof original !== 'function') return () => undefined
  let isOn = true
  const wrapper = new Proxy(original as Method, {
    apply: (target, self, given) => {
      const call = (): unknown => Reflect.apply(target, self, given)
      return isOn ? around(call, self, given) : call()
    },
  })
  // A page may have frozen it: then it is left alone.
  const isSet = Reflect.defineProperty(holder, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    ...before,
    value: wrapper,
  })
  return () => {
    isOn = false
    if (!isSet || holder[name] !== (wrapper as unknown)) return
    if (before) Reflect.defineProperty(holder, name, before)
    else Reflect.deleteProperty(holder, name)
  }
}

/** What is noted must never be the page's trouble. */
export const quietly = (work: () => void): void => {
  try {
    work()
  } catch {
    // A getter or a proxy of the page that throws: there is no line then.
  }
}
