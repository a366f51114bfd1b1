import { Scope } from './scope.ts'

/** The three scopes of an event, from general to particular, as in `@sentry/browser`. */
export const globalScope = new Scope()
export const isolationScope = new Scope()
export const scopes: { current: Scope; lastEventId?: string } = { current: new Scope() }

/** Runs the work with a scope of its own. What it throws is the caller's. */
export const runWithScope = <Value>(scope: Scope, work: (scope: Scope) => Value): Value => {
  const before = scopes.current
  scopes.current = scope
  const back = (): void => {
    if (scopes.current === scope) scopes.current = before
  }
  let result: Value
  try {
    result = work(scope)
  } catch (error) {
    back()
    throw error
  }
  if (result instanceof Promise) void result.then(back, back)
  else back()
  return result
}
