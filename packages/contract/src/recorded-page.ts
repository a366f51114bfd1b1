/**
 * The policy of whatever a recorded page is drawn in: nothing in it runs, and nothing is fetched for it, not even from the
 * server that it came from. Recorded pages are full of inline styles; they can name nothing that the other lines would let
 * through.
 */
export const RECORDED_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
