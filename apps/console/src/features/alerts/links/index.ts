export { AlertMarks } from './AlertMarks.tsx'
export { IssueAlerts } from './IssueAlerts.tsx'
export { TellMe } from './TellMe.tsx'
export { useAlertMarks } from './marks.ts'
