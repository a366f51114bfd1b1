import type { FeedbackOptions, FeedbackTheme } from '../options.ts'

/**
 * The built-in colours, in the light and in the dark. The first file has them as CSS (a test compares the two); here they
 * complete what a page chose for one of the two only.
 */
export const COLORS: Readonly<
  Record<Exclude<keyof FeedbackTheme, 'boxShadow' | 'outline'>, readonly [string, string]>
> = {
  foreground: ['#1c1b19', '#ecebe6'],
  background: ['#fff', '#1a1a18'],
  accentForeground: ['#fff', '#0c1a19'],
  accentBackground: ['#0b6e69', '#4fc3b8'],
  successColor: ['#2c7a3f', '#7cc48c'],
  errorColor: ['#cf3327', '#f4776b'],
}

export const propertyOf = (name: string): string => `--${name.replace(/[A-Z]/, '-$&').toLowerCase()}`

/** Where pages are developed. */
const LOCAL = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/

/** The colours of one scheme, those that the page did not choose included. */
const completed = (theme: FeedbackTheme | undefined, at: 0 | 1): FeedbackTheme => ({
  ...Object.fromEntries(Object.entries(COLORS).map(([name, pair]) => [name, pair[at]])),
  ...theme,
})

const check = ({ themeLight, themeDark }: FeedbackOptions): void => {
  if (typeof location === 'undefined' || !LOCAL.test(location.hostname)) return
  void import('./contrast.ts').then(({ reportContrast }) => {
    reportContrast('themeLight', completed(themeLight, 0))
    reportContrast('themeDark', completed(themeDark, 1))
  })
}

/** What a page chose. In a file of its own: most pages choose nothing. */
export const themeOf = (options: FeedbackOptions, scheme: string): string => {
  const { themeLight, themeDark } = options
  check(options)
  let css = ':host{'
  for (const [name, [light, dark]] of Object.entries(COLORS) as [keyof typeof COLORS, readonly [string, string]][]) {
    css += `${propertyOf(name)}:light-dark(${themeLight?.[name] ?? light},${themeDark?.[name] ?? dark});`
  }
  // Shadows and outlines are more than a colour, which is all that light-dark() takes.
  for (const name of ['boxShadow', 'outline'] as const) {
    const value = (scheme === 'dark' && themeDark?.[name]) || themeLight?.[name]
    if (value) css += `${propertyOf(name)}:${value};`
  }
  return `${css}}`
}
