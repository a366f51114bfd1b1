export { ReplayScreen } from './components/ReplayScreen.tsx'
export { playbackQuery } from './queries.ts'
