"""Fixtures that more than one test file needs."""

import pagecheck
import pytest


@pytest.fixture(scope="session")
def playwright():
    """The browser's driver: one for the whole session, as two of them do not go together."""
    pagecheck.require_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright):
    found = pagecheck.require_browser()
    browser = playwright.chromium.launch(executable_path=found, args=pagecheck.FLAGS)
    yield browser
    browser.close()
