export { PersonLink } from './PersonLink.tsx'
export { personOf } from './person-of.ts'
