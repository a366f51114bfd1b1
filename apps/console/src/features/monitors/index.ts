export { MonitorScreen } from './components/MonitorScreen.tsx'
export { MonitorsScreen } from './components/MonitorsScreen.tsx'
export { NewMonitorScreen } from './components/NewMonitorScreen.tsx'
