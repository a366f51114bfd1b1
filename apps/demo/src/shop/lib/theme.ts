import { createStore } from './store.ts'

export type Theme = 'system' | 'light' | 'dark'

export const themeStore = createStore<Theme>('system', 'kettle-theme')

const NEXT = { system: 'dark', dark: 'light', light: 'system' } as const

export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export const nextTheme = (): Theme => NEXT[themeStore.get()]
