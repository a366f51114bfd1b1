import { createContext } from 'react'

/** Whether what is drawn here stays where it is while the page scrolls: what opens from it then stays there as well. */
export const Pinned = createContext(false)
