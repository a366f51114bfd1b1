export { SearchBar } from './components/SearchBar.tsx'
export { SearchTips } from './components/SearchTips.tsx'
export type { SearchCompletions } from './queries.ts'
