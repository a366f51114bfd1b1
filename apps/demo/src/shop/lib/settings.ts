export interface StageLink {
  readonly name: string
  readonly group: 'Form' | 'Language' | 'Page'
  readonly title: string
  readonly hint: string
}

interface Settings {
  readonly dsn: string
  readonly release: string
  readonly tunnel: string
  readonly consoleUrl: string | null
  readonly stages: readonly StageLink[]
}

/** What the server wrote into the page. */
export const settings = JSON.parse(document.querySelector('#settings')?.textContent ?? '{}') as Settings
