import type { ProjectSettings } from '../../accounts/settings.ts'
import { scrubValue } from './bag.ts'
import { rulesFor } from './rules.ts'

/** Texts in which a sensitive word is a word like any other (a table called `auth_tokens`): only what looks like a secret goes. */
const TEXTS = new Set(['db.query.text', 'db.query.summary', 'db.collection.name', 'http.route', 'url.template'])

/** Attributes that Firsthand or its SDKs set themselves, whose names may hold a sensitive word. */
const isOurs = (name: string): boolean => name.startsWith('sentry.') || name.startsWith('browser.web_vital.')

/** What a model read, wrote and cost: tokens that are counted, and no secret. */
const COUNTED_TOKENS = /^(?:gen_ai|ai)\..*token/

/** Scrubs the attributes of a span, a log line or a metric in place, and gives back its text without what looks like a secret. */
export const scrubAttributes = (
  attributes: { [name: string]: unknown },
  text: string,
  { scrubbing }: Pick<ProjectSettings, 'scrubbing'>,
): string => {
  if (!scrubbing.enabled) return text
  const rules = rulesFor(scrubbing)
  for (const name in attributes) {
    const value = attributes[name]
    if (typeof value === 'boolean') continue
    if (typeof value === 'number' && COUNTED_TOKENS.test(name)) continue
    const kind = rules.kindOf(name)
    if (kind === 'safe' || (kind !== 'url' && isOurs(name))) continue
    if (TEXTS.has(name) && typeof value === 'string') attributes[name] = rules.text(value)
    else attributes[name] = scrubValue(rules, value, kind)
  }
  return rules.text(text)
}
