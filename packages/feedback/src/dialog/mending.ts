import type { Field } from './fields.ts'
import type { FormState } from './state.ts'

/** Still as it was complained about: empty, or the odd address that the visitor was asked about. */
const isWrong = (form: FormState, field: Field): boolean =>
  field.name === 'email' && field.read() !== '' ? field.read() === form.warnedOf : field.isRequired && !field.read()

/**
 * Takes back what the form says of fields that are mended, while the visitor types: nobody has to press Send to learn that
 * it is right now.
 */
export const mend = (form: FormState): void => {
  const { alert, fields, texts } = form
  const marked = fields.filter(({ input }) => input.ariaInvalid === 'true')
  const left = marked.filter((field) => isWrong(form, field))
  if (left.length === marked.length) return
  for (const field of marked) if (!left.includes(field)) field.input.ariaInvalid = null
  const text = alert.firstElementChild
  if (left.length === 0) alert.replaceChildren()
  else if (text !== null)
    text.textContent = `${texts.errorMissingFieldsText} ${left.map(({ label }) => label).join(', ')}`
}
