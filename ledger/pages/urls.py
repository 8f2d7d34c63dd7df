"""Routes of the ledger app's pages."""

urlpatterns: list = []
