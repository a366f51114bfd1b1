export { ViewsSection } from './ViewsSection.tsx'
