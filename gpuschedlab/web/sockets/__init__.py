"""Sockets notify, HTTP decides.

A socket tells a page that something it shows has a newer version (`seq`); the page then fetches what it needs by HTTP,
where permissions are checked and pages are made. So nothing secret and nothing large ever crosses a socket, and a
message that is lost costs nothing: `topics.join` answers with the newest seq, and a page that sees a seq beyond its
own fetches.
"""
