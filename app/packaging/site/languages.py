"""The language of each page of the site: NAME.fr.md is in French, and the list of languages leads to its English page and back.

MkDocs calls this before it draws a page. It changes the theme's language for that page, and what the list offers. Links between pages
are left as they are written, so no plugin for languages is needed.
Test: tests/documents/site_test.py
"""

NAMES = {"en": "English", "fr": "Français"}
FIRST = {"en": "index.md", "fr": "index.fr.md"}


def language_of(page):
    return "fr" if page.file.src_uri.endswith(".fr.md") else "en"


def on_nav(nav, config, files):
    config.extra["addresses"] = {file.src_uri: file.url for file in files.documentation_pages()}
    return nav


def on_page_context(context, page, config, nav):
    language = language_of(page)
    stem = page.file.src_uri.removesuffix(".md").removesuffix(".fr")
    pages = {"en": f"{stem}.md", "fr": f"{stem}.fr.md"}
    addresses = config.extra["addresses"]
    config.theme["language"] = language
    config.extra["alternate"] = [{"name": name, "lang": code, "link": addresses.get(pages[code]) or addresses[FIRST[code]]}
                                 for code, name in NAMES.items()]
    return context
