export { SearchBar } from './components/SearchBar.tsx'
