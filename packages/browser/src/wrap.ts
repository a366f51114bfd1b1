import { guard } from './guard.ts'

type Method = (this: unknown, ...given: unknown[]) => unknown

/**
 * Puts a wrapper in the place of a function. A proxy, so name, length, `this`, `new` and properties stay; also what it says
 * when somebody turns it into text, by which pages find out whether a function is the browser's own.
 *
 * @param around gets the call itself as a function that takes no arguments
 * @returns what takes the wrapper away; where somebody has wrapped it since, it only falls silent
 */
export const wrap = <Holder extends object>(
  holder: Holder | undefined,
  name: keyof Holder & string,
  around: (call: () => unknown, self: unknown, given: unknown[]) => unknown,
): (() => void) => {
  const before = guard(() => (holder ? Object.getOwnPropertyDescriptor(holder, name) : undefined))
  const original: unknown = guard(() => holder?.[name])
  if (holder === undefined || typeof original !== 'function') return () => undefined
  let isOn = true
  const wrapper = new Proxy(original as Method, {
    apply: (target, self, given) => {
      const call = (): unknown => Reflect.apply(target, self, given)
      return isOn ? around(call, self, given) : call()
    },
    get: (target, key) => (key === 'toString' ? target.toString.bind(target) : Reflect.get(target, key)),
  })
  guard(() =>
    Object.defineProperty(holder, name, {
      configurable: true,
      enumerable: true,
      writable: true,
      ...before,
      value: wrapper,
    }),
  )
  return () => {
    isOn = false
    guard(() => {
      if (holder[name] !== (wrapper as unknown)) return
      if (before) Object.defineProperty(holder, name, before)
      else delete holder[name]
    })
  }
}
