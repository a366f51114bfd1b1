export { ReleaseScreen } from './components/ReleaseScreen.tsx'
export { ReleasesScreen } from './components/ReleasesScreen.tsx'
