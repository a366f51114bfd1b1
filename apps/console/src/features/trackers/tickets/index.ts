export { Tickets } from './Tickets.tsx'
