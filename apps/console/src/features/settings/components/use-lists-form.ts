import { type FieldErrors, type Form, useForm } from '../../../lib/use-form.ts'
import { toast } from '../../../ui/index.ts'
import { checkLines, fromLines, toLines } from '../model/lines.ts'

type Each<Name extends string, Value> = { readonly [Key in Name]: Value }

/** A form whose fields are lists, one entry per line. @param saved what is said when they are saved */
export function useListsForm<Name extends string>(
  lists: Each<Name, readonly string[]>,
  save: (lists: Each<Name, string[]>) => Promise<unknown>,
  saved: string,
): Form<Each<Name, string>> {
  return useForm<Each<Name, string>>({
    initial: mapValues(lists, toLines),
    validate: (texts) => mapValues(texts, checkLines) as FieldErrors<Each<Name, string>>,
    submit: async (texts) => {
      await save(mapValues(texts, fromLines))
      toast({ title: saved, tone: 'ok' })
    },
  })
}

function mapValues<Name extends string, Value, Result>(
  values: Each<Name, Value>,
  map: (value: Value) => Result,
): Each<Name, Result> {
  const entries = Object.entries<Value>(values).map(([name, value]) => [name, map(value)])
  return Object.fromEntries(entries) as Each<Name, Result>
}
