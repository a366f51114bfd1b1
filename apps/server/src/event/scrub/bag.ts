import { sayScrubbed } from '../remarks.ts'
import { FILTERED, type KeyKind, type Rules } from './rules.ts'

type MutableObject = { [key: string]: unknown }

/** Scrubs a databag in place: normalisation bounded its depth and size. */
export const scrubBag = (rules: Rules, bag: object): void => {
  if (Array.isArray(bag)) scrubArray(rules, bag)
  else scrubObject(rules, bag as MutableObject)
}

const scrubObject = (rules: Rules, object: MutableObject): void => {
  for (const key in object) {
    const value = object[key]
    if (value === null || typeof value === 'boolean') continue
    const kind = rules.kindOf(key)
    if (kind === 'safe') continue
    const clean = scrubValue(rules, value, kind)
    if (clean !== value) {
      object[key] = clean
      sayScrubbed(object, key, rules.ruleFor(key, value), value, clean)
    }
  }
}

const scrubArray = (rules: Rules, array: unknown[]): void => {
  for (let index = 0; index < array.length; index++) {
    const value: unknown = array[index]
    const clean = scrubPair(rules, value) ?? scrubValue(rules, value, 'ordinary')
    if (clean !== value) {
      array[index] = clean
      sayScrubbed(array, index, rules.ruleFor('', value), value, clean)
    }
  }
}

/** `["password", "x"]` inside a list is a pair of name and value. */
const scrubPair = (rules: Rules, value: unknown): unknown => {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return undefined
  const kind = rules.kindOf(value[0])
  if (kind === 'sensitive' && value[1] !== FILTERED) {
    sayScrubbed(value, 1, rules.ruleFor(value[0], value[1]), value[1], FILTERED)
    value[1] = FILTERED
  }
  return kind === 'safe' || kind === 'sensitive' ? value : undefined
}

/** A value under a key of this kind; containers are scrubbed in place unless their key says it all. */
export const scrubValue = (rules: Rules, value: unknown, kind: KeyKind): unknown => {
  if (typeof value === 'string') return value === '' ? value : scrubText(rules, value, kind)
  if (typeof value === 'number') {
    return kind === 'sensitive' || rules.isSensitiveNumber(value) ? FILTERED : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (kind === 'sensitive') return FILTERED
  if (kind === 'cookies') scrubCookies(rules, value as MutableObject)
  scrubBag(rules, value)
  return value
}

const scrubCookies = (rules: Rules, cookies: MutableObject): void => {
  for (const name in cookies) {
    const before = cookies[name]
    if (before === null || before === FILTERED || !rules.isSensitiveCookie(name)) continue
    cookies[name] = FILTERED
    sayScrubbed(cookies, name, rules.ruleFor(name, before), before, FILTERED)
  }
}

/** Text under a key of this kind. */
export const scrubText = (rules: Rules, text: string, kind: KeyKind): string => {
  switch (kind) {
    case 'safe':
      return text
    case 'sensitive':
      return FILTERED
    case 'url':
      return rules.url(text)
    case 'query':
      return rules.query(text)
    case 'cookies':
      return rules.cookies(text)
    case 'ordinary':
    default:
      return rules.value(text)
  }
}

/** Sets what scrubbing left of a text, and says what it was, when it is another. */
export const replaceText = <Key extends string, Holder extends { [Name in Key]?: string | undefined }>(
  rules: Rules,
  holder: Holder,
  key: Key,
  clean: (text: string) => string,
): void => {
  const before = holder[key]
  if (before === undefined) return
  const after = clean(before)
  if (after === before) return
  holder[key] = after as Holder[Key]
  sayScrubbed(holder, key, rules.ruleFor(key, before), before, after)
}
