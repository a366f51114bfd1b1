/** What the widget says and which colour it has, as chosen on the set-up page, and the configuration that makes it so. */

export interface WidgetChoices {
  /** '' for the widget's own text. */
  readonly triggerLabel: string
  readonly formTitle: string
  readonly messagePlaceholder: string
  readonly submitButtonLabel: string
  /** `#rrggbb`, or '' for the widget's own. */
  readonly accent: string
  /** Asks which kind of report it is. */
  readonly withCategory: boolean
  /** Asks for one to five stars. */
  readonly withRating: boolean
}

/** The widget's own texts, in English. */
export const WIDGET_TEXTS = {
  triggerLabel: 'Report a Bug',
  formTitle: 'Report a Bug',
  messagePlaceholder: "What's the bug? What did you expect?",
  submitButtonLabel: 'Send Bug Report',
} as const

/** What its form says besides, in English. */
export const FORM_TEXTS = {
  nameLabel: 'Name',
  namePlaceholder: 'Your Name',
  emailLabel: 'Email',
  emailPlaceholder: 'your.email@example.org',
  messageLabel: 'Description',
  isRequiredLabel: '(required)',
  addScreenshotButtonLabel: 'Add a screenshot',
  feedbackTitle: 'Send feedback',
  categoryLabel: 'What is it about?',
  ratingLabel: 'How do you like this page?',
  cancelButtonLabel: 'Cancel',
} as const

/** The widget's own texts as these choices make them: not all that it asks for by category is a bug. */
export const ownTexts = ({ withCategory }: WidgetChoices): Readonly<Record<keyof typeof WIDGET_TEXTS, string>> =>
  withCategory
    ? { ...WIDGET_TEXTS, formTitle: FORM_TEXTS.feedbackTitle, submitButtonLabel: FORM_TEXTS.feedbackTitle }
    : WIDGET_TEXTS

export const WIDGET_ACCENT = '#0b6e69'

export const NO_CHOICES: WidgetChoices = {
  triggerLabel: '',
  formTitle: '',
  messagePlaceholder: '',
  submitButtonLabel: '',
  accent: '',
  withCategory: false,
  withRating: false,
}

/** What the widget asks of itself, in English. */
export const CATEGORIES = ['Bug', 'Idea', 'Praise'] as const

const partOf = (hex: string): number => {
  const part = Number.parseInt(hex, 16) / 255
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** White or nearly black, whichever is read better on the colour `#rrggbb` (WCAG 2.2, 1.4.3). */
export function readableOn(color: string): '#ffffff' | '#0c1a19' {
  const [red = 0, green = 0, blue = 0] = (color.slice(1).match(/../g) ?? []).map(partOf)
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.0587 ? '#ffffff' : '#0c1a19'
}

/** Options of `feedbackIntegration`; only what differs from the widget's own. */
export function widgetOptions(choices: WidgetChoices): Record<string, unknown> {
  const { accent, withCategory, withRating, ...texts } = choices
  const own = ownTexts(choices)
  const said = Object.entries(texts).filter(
    ([name, text]) => text.trim() !== '' && text.trim() !== own[name as keyof typeof WIDGET_TEXTS],
  )
  const theme = { accentBackground: accent, accentForeground: readableOn(accent) }
  return {
    ...Object.fromEntries(said.map(([name, text]) => [name, text.trim()])),
    ...(accent === '' || accent === WIDGET_ACCENT ? {} : { themeLight: theme, themeDark: theme }),
    ...(withCategory ? { categories: true } : {}),
    ...(withRating ? { rating: true } : {}),
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', "'": '&#39;', '<': '&lt;' }

/** The script tag with the widget and its options. */
export function widgetTag(origin: string, dsn: string, choices: WidgetChoices): string {
  const options = widgetOptions(choices)
  const value = JSON.stringify(options, null, 2).replaceAll(/[&'<]/g, (character) => ESCAPES[character] ?? character)
  const feedback = Object.keys(options).length === 0 ? 'data-feedback' : `data-feedback='${value}'`
  return `<script src="${origin}/sdk.js"\n  data-dsn="${dsn}"\n  ${feedback} async></script>`
}
