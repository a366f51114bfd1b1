import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the page's scripts are told. */
export interface PageSettings {
  readonly dsn: string
  readonly release: string
  /** Same-origin path that leads to Firsthand. */
  readonly tunnel: string
  /** Of the organisation in the console; null when nobody said. */
  readonly consoleUrl: string | null
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** JSON that may stand in a script element. */
export const embeddedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

interface Built {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** Script and style sheets of an entry, as the build named them. */
export interface Assets {
  readonly script: string
  readonly styles: readonly string[]
}

/** @throws Error when the shop was not built */
export const readAssets = (dist: string, entry: string): Assets => {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Built | undefined>
  const built = manifest[entry]
  if (built === undefined) throw new Error(`The build in ${dist} has no ${entry}. Build the shop again.`)
  const styles = new Set<string>()
  const collect = (name: string, seen: Set<string>): void => {
    const one = manifest[name]
    if (one === undefined || seen.has(name)) return
    seen.add(name)
    for (const below of one.imports ?? []) collect(below, seen)
    for (const sheet of one.css ?? []) styles.add(`/${sheet}`)
  }
  collect(entry, new Set())
  return { script: `/${built.file}`, styles: [...styles] }
}

const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='9' fill='%23c4552d'/><path d='M8 11h13v6a6.5 6.5 0 0 1-13 0zM21 13h2.5a2.5 2.5 0 0 1 0 5H21' fill='none' stroke='white' stroke-width='2.2'/></svg>"

export interface DocumentParts {
  readonly title: string
  readonly language?: string
  readonly head?: string
  readonly body: string
  readonly assets?: Assets
  readonly settings?: unknown
  readonly nonce?: string
}

/** A whole HTML page. Styles come first, the script last; the settings are data, which no policy forbids. */
export const documentOf = ({
  title,
  language = 'en',
  head = '',
  body,
  assets,
  settings,
  nonce,
}: DocumentParts): string => {
  const nonceAttribute = nonce === undefined ? '' : ` nonce="${nonce}"`
  const direction = language === 'ar' ? ' dir="rtl"' : ''
  return `<!doctype html>
<html lang="${language}"${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
${(assets?.styles ?? []).map((sheet) => `<link rel="stylesheet" href="${sheet}">`).join('\n')}
${head}
</head>
<body>
${body}
${settings === undefined ? '' : `<script type="application/json" id="settings"${nonceAttribute}>${embeddedJson(settings)}</script>`}
${assets === undefined ? '' : `<script type="module" src="${assets.script}"${nonceAttribute}></script>`}
</body>
</html>
`
}
