export { TrackersSettings } from './components/TrackersSettings.tsx'
