"""Who uses the site: participants (every browser), users (who signed up), their roles, language and time zone."""
