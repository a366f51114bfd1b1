/**
 * Values that come again and again and are the same frozen object each time, such as the stack of an error that happens
 * a thousand times. What follows from one needs to be found out only once.
 */
const recurring = new WeakSet<object>()

/** Freezes the value and all in it: many hold it from now on. It must be a tree. */
export const markRecurring = <Value extends object>(value: Value): Value => {
  freeze(value)
  recurring.add(value)
  return value
}

export const isRecurring = (value: object): boolean => recurring.has(value)

/** Remembers the results of a pure function for recurring values, as long as the values live. Others are computed each time. */
export const oncePerRecurring = <Key extends object, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const memory = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    if (!recurring.has(key)) return compute(key)
    const known = memory.get(key)
    if (known !== undefined) return known.value
    const value = compute(key)
    memory.set(key, { value })
    return value
  }
}

const freeze = (value: object): void => {
  Object.freeze(value)
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part)
}
