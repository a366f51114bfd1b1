export { ResolveDialog } from './ResolveDialog.tsx'
