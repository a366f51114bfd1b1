import { element, fill } from '../editor/dom.ts'
import type { CustomField, FeedbackOptions } from '../options.ts'
import type { Texts } from '../text/en.ts'

export const MAXIMUM_MESSAGE = 4096
const MAXIMUM_NAME = 128
const MAXIMUM_EMAIL = 254
const COUNT_FROM = 200
const MAXIMUM_STARS = 10

/** One question of the form. */
export interface Field {
  readonly name: string
  /** Stands in the report under this name, and not among the integrator's own fields. */
  readonly topic?: 'category' | 'rating'
  readonly label: string
  readonly isRequired: boolean
  /** Null: the field is not shown, and only carries a value. */
  readonly element: HTMLElement | null
  readonly input: HTMLElement & { focus(): void }
  /** Trimmed. Empty when nothing was entered. */
  read(): string | number | boolean
  write(value: string): void
}

type TextInput = HTMLInputElement | HTMLTextAreaElement

const labelled = (label: string, isRequired: boolean, texts: Texts): HTMLElement => {
  const text = element('span', { class: 'label' }, label)
  if (isRequired) text.append(' ', element('span', { class: 'required' }, texts.isRequiredLabel))
  return text
}

const textField = (
  input: TextInput,
  name: string,
  label: string,
  isRequired: boolean,
  isShown: boolean,
  texts: Texts,
): Field => {
  input.name = name
  if (isRequired) input.ariaRequired = 'true'
  return {
    name,
    label,
    isRequired,
    input,
    element: isShown ? element('label', { class: 'field' }, labelled(label, isRequired, texts), input) : null,
    read: () => input.value.trim(),
    write: (value) => {
      input.value = value
    },
  }
}

/** The box for the message counts near its limit, and says when a paste was too long. */
const messageField = (texts: Texts, announce: (text: string) => void): Field => {
  const input = element('textarea', { rows: '4', placeholder: texts.messagePlaceholder })
  const field = textField(input, 'message', texts.messageLabel, true, true, texts)
  const counter = element('span', { class: 'counter', hidden: true })
  field.element?.append(counter)
  input.addEventListener('input', () => {
    const isCut = input.value.length > MAXIMUM_MESSAGE
    if (isCut) input.value = input.value.slice(0, MAXIMUM_MESSAGE)
    const left = MAXIMUM_MESSAGE - input.value.length
    counter.hidden = left > COUNT_FROM
    counter.textContent = isCut
      ? fill(texts.cutText, { count: MAXIMUM_MESSAGE })
      : fill(texts.leftText, { count: left })
    if (isCut) announce(counter.textContent)
  })
  return field
}

/** In the order of the sentence about missing fields: name, e-mail, message, category and rating, then the integrator's own. */
export const createFields = (
  options: FeedbackOptions,
  texts: Texts,
  topics: readonly Field[],
  announce: (text: string) => void,
): Field[] => {
  const isNameRequired = options.isNameRequired === true
  const isEmailRequired = options.isEmailRequired === true
  const name = element('input', {
    autocomplete: 'name',
    maxlength: String(MAXIMUM_NAME),
    placeholder: texts.namePlaceholder,
  })
  const email = element('input', {
    type: 'email',
    autocomplete: 'email',
    maxlength: String(MAXIMUM_EMAIL),
    placeholder: texts.emailPlaceholder,
  })
  return [
    textField(name, 'name', texts.nameLabel, isNameRequired, isNameRequired || options.showName !== false, texts),
    textField(email, 'email', texts.emailLabel, isEmailRequired, isEmailRequired || options.showEmail !== false, texts),
    messageField(texts, announce),
    ...topics,
    ...(options.fields ?? []).map((field) => customField(field, texts)),
  ]
}

const customField = (field: CustomField, texts: Texts): Field => {
  const isRequired = field.required === true
  const base = { name: field.name, label: field.label, isRequired }
  if (field.type === 'text') {
    const input = element('input', { maxlength: '1024', placeholder: field.placeholder ?? '' })
    return textField(input, field.name, field.label, isRequired, true, texts)
  }
  if (field.type === 'checkbox') {
    const input = element('input', { type: 'checkbox', name: field.name })
    if (isRequired) input.ariaRequired = 'true'
    return {
      ...base,
      input,
      element: element('label', { class: 'check' }, input, labelled(field.label, isRequired, texts)),
      read: () => input.checked,
      write: (value) => {
        input.checked = value === 'true'
      },
    }
  }
  if (field.type === 'select') {
    const input = element('select', { name: field.name }, element('option', { value: '' }, texts.chooseText))
    for (const option of field.options) {
      const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
      input.append(element('option', { value }, label))
    }
    if (isRequired) input.ariaRequired = 'true'
    return {
      ...base,
      input,
      element: element('label', { class: 'field' }, labelled(field.label, isRequired, texts), input),
      read: () => input.value,
      write: (value) => {
        input.value = value
      },
    }
  }
  return ratingField(field.max ?? 5, base, texts)
}

/** Radio buttons, so that arrow keys and screen readers know what to do. */
export const ratingField = (
  max: number,
  base: Pick<Field, 'name' | 'label' | 'isRequired' | 'topic'>,
  texts: Texts,
): Field => {
  const stars = element('span', { class: 'stars' })
  const inputs = Array.from({ length: Math.min(max, MAXIMUM_STARS) }, (_, index) => {
    const value = String(index + 1)
    const input = element('input', {
      type: 'radio',
      name: base.name,
      value,
      'aria-label': fill(texts.ratingText, { value, max }),
    })
    stars.append(element('label', {}, input, element('span', { 'aria-hidden': 'true' }, '★')))
    return input
  })
  const group = element(
    'fieldset',
    { class: 'field' },
    element('legend', {}, labelled(base.label, base.isRequired, texts)),
    stars,
  )
  const paint = (): void => {
    const chosen = inputs.findIndex(({ checked }) => checked)
    for (const [index, input] of inputs.entries()) input.parentElement?.classList.toggle('on', index <= chosen)
  }
  group.addEventListener('change', paint)
  return {
    ...base,
    input: inputs[0] ?? group,
    element: group,
    read: () => Number(inputs.find(({ checked }) => checked)?.value ?? 0),
    write: (value) => {
      for (const input of inputs) input.checked = input.value === value
      paint()
    },
  }
}

/** Something before and after an @, with a dot behind: the server takes any text, so this only warns. */
export const isOddEmail = (email: string): boolean => email !== '' && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)
