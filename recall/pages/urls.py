"""Routes of the recall app's pages."""

urlpatterns: list = []
