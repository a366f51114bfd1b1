import { element } from '../editor/dom.ts'
import type { Surface } from '../loader/surface.ts'
import type { FeedbackOptions } from '../options.ts'
import type { AllTexts } from '../text/catalogue.ts'
import { topicTexts } from '../text/topic.en.ts'
import { type Field, ratingField } from './fields.ts'
import { replaced } from './settings.ts'

const STARS = 5

const STYLES = `
.chips{display:flex;flex-wrap:wrap;gap:8px}
.chips label{position:relative;display:inline-flex;align-items:center;min-height:36px;padding:4px 14px;border:1px solid var(--fh-strong-line);border-radius:18px;cursor:pointer;overflow-wrap:anywhere}
.chips label:hover{background:var(--fh-sunk)}
.chips input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.chips label:has(:checked){border-color:var(--fh-accent);background:var(--fh-accent-soft);color:var(--fh-accent);font-weight:500}
.chips label:has(:focus-visible){outline:var(--outline);outline-offset:2px}
@media(pointer:coarse){.chips label{min-height:44px;border-radius:22px}}
@media(forced-colors:active){.chips label:has(:checked){outline:2px solid Highlight;outline-offset:-3px}}
`

interface Category {
  readonly value: string
  readonly label: string
}

const categoriesOf = ({ categories }: FeedbackOptions, texts: typeof topicTexts): readonly Category[] => {
  if (categories === true) {
    return [
      { value: 'bug', label: texts.categoryBug },
      { value: 'idea', label: texts.categoryIdea },
      { value: 'praise', label: texts.categoryPraise },
    ]
  }
  const given = typeof categories === 'string' ? categories.split(',') : categories || []
  return given
    .map((one) => (typeof one === 'string' ? { value: one.trim(), label: one.trim() } : one))
    .filter(({ value }) => value !== '')
}

/** Radio buttons, so that arrow keys and screen readers know what to do. */
const categoryField = (categories: readonly Category[], label: string): Field => {
  const inputs = categories.map(({ value }) => element('input', { type: 'radio', name: 'fh-category', value }))
  const chips = inputs.map((input, index) => element('label', {}, input, categories[index]?.label ?? ''))
  const group = element(
    'fieldset',
    { class: 'field' },
    element('legend', {}, element('span', { class: 'label' }, label)),
    element('div', { class: 'chips' }, ...chips),
  )
  return {
    name: 'fh-category',
    topic: 'category',
    label,
    isRequired: false,
    input: inputs[0] ?? group,
    element: group,
    read: () => inputs.find(({ checked }) => checked)?.value ?? '',
    write: (value) => {
      for (const input of inputs) input.checked = input.value === value
    },
  }
}

/** What a form with such questions asks and says. */
export interface Topics {
  readonly fields: readonly Field[]
  readonly texts: AllTexts
}

/** The questions about category and rating that the options ask for. */
export const createTopics = (options: FeedbackOptions, given: AllTexts, surface: Surface): Topics => {
  const texts = replaced({ ...topicTexts, ...given }, options)
  const categories = categoriesOf(options, texts)
  surface.style('topics', STYLES)
  const rating = { name: 'fh-rating', topic: 'rating' as const, label: texts.ratingLabel, isRequired: false }
  const isAsked = categories.length > 0
  const title = texts.feedbackTitle
  return {
    fields: [
      ...(isAsked ? [categoryField(categories, texts.categoryLabel)] : []),
      ...(options.rating === true ? [ratingField(STARS, rating, texts)] : []),
    ],
    texts: isAsked ? replaced({ ...given, formTitle: title, submitButtonLabel: title }, options) : given,
  }
}
