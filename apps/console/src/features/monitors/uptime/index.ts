export { NewUptimeScreen } from './NewUptimeScreen.tsx'
export { UptimeScreen } from './UptimeScreen.tsx'
