// Runs before the first paint so that the chosen theme never flashes. An own file, because the page's
// Content-Security-Policy forbids inline scripts. src/lib/theme.ts keeps the same key and attribute.
;(function () {
  var choice = 'system'
  try {
    choice = localStorage.getItem('firsthand:theme') || 'system'
  } catch {
    // Storage can be forbidden; the system's theme is then right.
  }
  var dark = choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
