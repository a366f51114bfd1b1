/**
 * Names moments so that each keeps its name when others come: a replay grows while it is watched, and segments come late.
 * Those of one kind that began in the same millisecond are told apart by their order.
 */
export function momentKeys(): (moment: { readonly kind: string; readonly at: number }) => string {
  const times = new Map<string, number>()
  return ({ at, kind }) => {
    const name = `${kind} ${at}`
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    return `${name} ${before}`
  }
}
