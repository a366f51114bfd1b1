export { ExploreScreen } from './components/ExploreScreen.tsx'
