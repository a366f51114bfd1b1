import { openShared } from './features/replays/shared-film/index.ts'

/**
 * What plays the videos of phones in a shared replay: a script of its own, which the page of a link loads where there are
 * some, and which stands in a file that has some, before its player.
 */

declare global {
  var firsthandFilm: typeof openShared | undefined
}

globalThis.firsthandFilm = openShared
