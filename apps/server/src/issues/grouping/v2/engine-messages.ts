import { memoise } from '../v1/memoise.ts'

/**
 * The errors that JavaScript engines throw themselves. Chrome, Firefox and Safari word them differently; what they say is
 * one sentence, and it holds names of the program, never data of its users.
 */
export interface EngineError {
  readonly type: string
  readonly value: string
}

/** Names of a program; what else stands there may come from a user. */
const NAME = /^[\p{L}_$#][\p{L}\p{N}_$]{0,63}$/u
const LAST_NAME = /([\p{L}_$#][\p{L}\p{N}_$]{0,63})(?:\[[^\]]{0,40}\])?(?:\(.{0,40}\))?$/u
/** The end of an expression is enough, and keeps the work small. */
const EXPRESSION_CHARACTERS = 80

/** The last name of `basket.items[0].price`, `(intermediate value).price` or `basket.price = 1`. */
const nameIn = (expression: string): string | null => {
  const [place = ''] = expression.split(' = ', 1)
  return LAST_NAME.exec(place.slice(-EXPRESSION_CHARACTERS))?.[1] ?? null
}
const plainName = (text: string): string | null => (NAME.test(text) ? text : null)

const MISSING_VALUE =
  /^Cannot (?:read|set) propert(?:y|ies) of (?<v8value>undefined|null) \((?:reading|setting) '(?<v8>.{1,200})'\)$|^Cannot (?:read|set) property '(?<oldV8>.{1,200})' of (?<oldV8value>undefined|null)$|^can't access property "?(?<gecko>[^"]{1,200})"?, .{1,400} is (?<geckoValue>undefined|null)$|^(?<jscValue>undefined|null) is not an object \(evaluating '(?<jsc>.{1,400})'\)$/
const UNKNOWN_VARIABLE = /^(?:Can't find variable: (?<jsc>\S{1,100})|(?<other>\S{1,100}) is not defined)$/
const NO_FUNCTION = /^(?<called>.{1,300}) is not a function(?:\. \(In '.{1,400}\))?$/s
const CONSTANT =
  /^(?:Assignment to constant variable\.|invalid assignment to const .{1,100}|Attempted to assign to readonly property\.)$/
const TOO_DEEP = /^(?:Maximum call stack size exceeded\.?|too much recursion)$/
const NO_JSON = /\bJSON\b|^Unexpected (?:token|end of input)/
const NO_NETWORK = /^(?:Failed to fetch\b|NetworkError when attempting to fetch resource|Load failed$)/

const typeError = (value: string): string | null => {
  const missing = MISSING_VALUE.exec(value)?.groups
  if (missing !== undefined) {
    const { v8, oldV8, gecko, jsc, v8value, oldV8value, geckoValue, jscValue } = missing
    const property = v8 ?? oldV8 ?? gecko
    const name = property === undefined ? nameIn(jsc ?? '') : plainName(property)
    const what = v8value ?? oldV8value ?? geckoValue ?? jscValue ?? ''
    return name === null ? `a property of ${what}` : `the property ${name} of ${what}`
  }
  const called = NO_FUNCTION.exec(value)?.groups?.['called']
  if (called !== undefined) {
    const name = nameIn(called)
    return name === null ? 'not a function' : `${name} is not a function`
  }
  if (CONSTANT.test(value)) return 'assignment to a constant'
  return NO_NETWORK.test(value) ? 'the network failed' : null
}

const read = (type: string, value: string): EngineError | null => {
  switch (type) {
    case 'TypeError': {
      const sentence = typeError(value)
      return sentence === null ? null : { type, value: sentence }
    }
    case 'ReferenceError': {
      const groups = UNKNOWN_VARIABLE.exec(value)?.groups
      const name = plainName(groups?.['jsc'] ?? groups?.['other'] ?? '')
      return name === null ? null : { type, value: `${name} is not defined` }
    }
    case 'RangeError':
    case 'InternalError':
      return TOO_DEEP.test(value) ? { type: 'RangeError', value: 'too much recursion' } : null
    case 'SyntaxError':
      // What could not be read is quoted, and may be anything.
      return NO_JSON.test(value) ? { type, value: 'no JSON' } : null
    default:
      return null
  }
}

const remembered = memoise((key) => {
  const end = key.indexOf('\n')
  return read(key.slice(0, end), key.slice(end + 1))
})

/** Null when the program itself has said it. */
export const engineError = (type: string, value: string): EngineError | null =>
  value.length > 1000 ? null : remembered(`${type}\n${value}`)
