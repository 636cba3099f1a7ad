"""The games in the form that other libraries take. Each module needs the library it is named for."""
