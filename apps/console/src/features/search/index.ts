export { SearchBar } from './components/SearchBar.tsx'
export type { SearchCompletions } from './queries.ts'
