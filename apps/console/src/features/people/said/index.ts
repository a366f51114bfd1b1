export { WhatPeopleSaid } from './WhatPeopleSaid.tsx'
