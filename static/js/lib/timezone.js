// Tells the server the browser's time zone, by a cookie, so that times on pages are the reader's.

const COOKIE = "time-zone";
const A_YEAR = 31536000; // seconds

export function rememberTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || document.cookie.split("; ").includes(`${COOKIE}=${zone}`)) return;
  document.cookie = `${COOKIE}=${zone}; path=/; max-age=${A_YEAR}; samesite=lax`;
}
