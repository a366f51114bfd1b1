import { err, ok, type Result } from './result.ts'

/** What somebody entered into the form of a kind of thing: what may be shown of it, and what is never shown again. */

type Problem = { readonly code: string; readonly path: readonly PropertyKey[]; readonly message: string }

/** As `zod` reads it. */
interface Part<Read> {
  safeParse(
    entered: unknown,
  ):
    | { readonly success: true; readonly data: Read }
    | { readonly success: false; readonly error: { readonly issues: readonly Problem[] } }
}

interface Form {
  readonly settings: Part<Readonly<Record<string, unknown>>>
  readonly secrets: Part<Readonly<Record<string, string | undefined>>>
}

interface Fields {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string | undefined>>
}

/** What is wrong, by the field that it is about. */
export type FieldProblems = Readonly<Record<string, string>>

/**
 * Strange fields are refused like wrong ones.
 *
 * @param words.thing what is made, as in "A channel of this kind has no …"
 * @param words.sentenceOf what people are told of a field that is not as its kind wants it; without one, what the reader says
 */
export const readEntered = (
  form: Form,
  entered: { readonly settings: unknown; readonly secrets: unknown },
  words: { readonly thing: string; readonly sentenceOf: (field: string) => string | undefined },
): Result<Fields, FieldProblems> => {
  const settings = form.settings.safeParse(entered.settings)
  const secrets = form.secrets.safeParse(entered.secrets)
  if (settings.success && secrets.success) return ok({ settings: { ...settings.data }, secrets: { ...secrets.data } })
  const issues = [settings, secrets].flatMap((part) => (part.success ? [] : part.error.issues))
  const problems = issues.flatMap(({ code, path, ...issue }): [string, string][] => {
    if (code === 'unrecognized_keys') {
      const keys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : []
      return keys.map((key) => [key, `A ${words.thing} of this kind has no "${key}".`])
    }
    const field = String(path[0] ?? 'settings')
    return [[field, words.sentenceOf(field) ?? issue.message]]
  })
  return err(Object.fromEntries(problems))
}
